/* fragments: pieces of SQL for statements of several files: texts in parentheses, or conditions. Arguments are columns
 * or parameters, as texts. Internal to the rooms that speak SQL. */
#pragma once

/* Ids with their site, see study_id: 2^53 - 1 masks the id on the site; people may be negative. */
#define ID_MASK "9007199254740991"
#define NUMBER_OF(id) "(" id " & " ID_MASK ")"
#define SITE_LETTERS "'abcdefghijklmnopqrstuvwxyz0123456789'"
/* As people read and write them: "45", "ds:45"; and back, of a post's or problem's id. */
#define PUBLIC_ID(id) \
    "(iif(" id " >> 53 = 0, ''," \
    " substr(" SITE_LETTERS ", ((" id " >> 53) - 1) / 37 + 1, 1)" \
    " || iif(((" id " >> 53) - 1) % 37 = 0, ''," \
    "     substr(" SITE_LETTERS ", ((" id " >> 53) - 1) % 37, 1)) || ':') || " NUMBER_OF(id) ")"
#define POST_OF(id) \
    "(iif(instr(" id ", ':') = 0, 0," \
    "  (1 + (unicode(" id ") - 97) * 37" \
    "   + iif(instr(" id ", ':') = 2, 0, instr(" SITE_LETTERS ", substr(" id ", 2, 1)))) << 53)" \
    " | CAST(substr(" id ", instr(" id ", ':') + 1) AS INTEGER))"
/* What comes before an id in the addresses of a site; NULL: its ids are rows of a file, which have none. */
#define SITE_PATH \
    "CASE substr(base_url, 9, 6) WHEN 'github' THEN '/issues/' WHEN 'gitlab' THEN '/-/issues/'" \
    " WHEN 'discus' THEN '/t/' WHEN 'discou' THEN '/t/' WHEN 'rows.l' THEN NULL ELSE '/questions/' END"
#define URL_OF(type, id) \
    "coalesce((SELECT u.url FROM post_url AS u WHERE u.post_id = " id ")," \
    "  (SELECT base_url || iif(" type " = 'answer', '/a/', " SITE_PATH ") || " NUMBER_OF(id) " FROM site" \
                                                                                             "   WHERE site_id = " id \
                                                                                             " >> 53))"
#define BY_PROBLEM(id) POST_OF(id) ", length(" id "), " id
/* The tags of a post, or of an answer's question, with blanks between them: no tag contains one. */
#define POST_TAGS \
    "(SELECT group_concat(t.value, ' ') FROM json_each(coalesce(p.tags," \
    "  (SELECT q.tags FROM post AS q WHERE q.post_id = p.parent_id))) AS t)"
#define POST_URL(post_id) URL_OF("p.post_type", post_id)

/* Where a run read from says where on a disk somebody's files lie: of paths the last part stays. */
#define IS_PATH(text) "(" text " LIKE '%/%' AND (" text " NOT LIKE '%://%' OR " text " LIKE 'file:%'))"
#define LAST_PART(text) \
    "substr(rtrim(" text ", '/')," \
    "  length(rtrim(rtrim(" text ", '/'), replace(" text ", '/', ''))) + 1)"
#define WITHOUT_FOLDER(text) "iif(" IS_PATH(text) ", " LAST_PART(text) ", " text ")"
#define EACH_WITHOUT_FOLDER(type, value, atoms) \
    "CASE " type \
    " WHEN 'text' THEN " WITHOUT_FOLDER(value) " WHEN 'true' THEN json('true') WHEN 'false' THEN json('false')" \
                                               " WHEN 'object' THEN json(" value ") WHEN 'array' THEN " atoms \
                                               " ELSE " value " END"
#define RUN_SOURCE WITHOUT_FOLDER("source")
#define RUN_PARAMETERS \
    "iif(json_valid(parameters) AND json_type(parameters) = 'object'," \
    "  (SELECT json_group_object(p.key, " EACH_WITHOUT_FOLDER( \
        "p.type", "p.value", \
        "(SELECT json_group_array(" EACH_WITHOUT_FOLDER( \
            "a.type", "a.value", \
            "json(a.value)") ") FROM json_each(p.value) AS a)") ") FROM json_each(parameters) AS p), '{}')"
