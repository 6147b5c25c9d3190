/* bench: a folder is made like another one, whatever stood in its place. */
#include "bench/copy.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"

static struct err e;

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *text_of(const char *path)
{
    static char text[100];
    FILE *file = fopen(path, "r");

    if (file == NULL)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static const char *link_of(const char *path)
{
    static char target[4096];
    ssize_t n = readlink(path, target, sizeof target - 1);

    if (n < 0)
        return NULL;
    target[n] = '\0';
    return target;
}

static bool is_there(const char *path)
{
    struct stat info;

    return lstat(path, &info) == 0;
}

static void folder(const char *path)
{
    assert_int_equal(mkdir(path, S_IRWXU), 0);
}

static enum status copy(uint64_t most, const char *linked)
{
    const struct copy_spec spec = {&linked, linked != NULL, most};

    return copy_folder("from", "to", &spec, &e);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static int begin(void **state)
{
    (void)state;
    folder("from");
    folder("from/a");
    put("from/a/one", "one");
    put("from/two", "two");
    assert_int_equal(symlink("a/one", "from/link"), 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    nftw("from", remove_one, 10, FTW_DEPTH | FTW_PHYS);
    nftw("to", remove_one, 10, FTW_DEPTH | FTW_PHYS);
    return 0;
}

TEST(copies_what_is_there)
{
    struct stat there, here;

    folder("from/.git");
    folder("from/__pycache__");
    assert_int_equal(mkfifo("from/fifo", S_IRUSR | S_IWUSR), 0);
    assert_int_equal(chmod("from/two", S_IRUSR | S_IXUSR), 0);
    assert_int_equal(copy(1000, NULL), ST_OK);
    assert_string_equal(text_of("to/a/one"), "one");
    assert_string_equal(link_of("to/link"), "a/one");
    assert_int_equal(stat("from/two", &there), 0);
    assert_int_equal(stat("to/two", &here), 0);
    assert_int_equal(here.st_mtim.tv_sec, there.st_mtim.tv_sec);
    assert_int_equal(here.st_mtim.tv_nsec, there.st_mtim.tv_nsec);
    assert_int_equal(here.st_mode & ACCESSPERMS, S_IRUSR | S_IWUSR | S_IXUSR); /* so that it can be changed */
    assert_false(is_there("to/.git") || is_there("to/__pycache__") || is_there("to/fifo"));
}

TEST(makes_the_copy_as_it_was)
{
    struct stat before, after;

    assert_int_equal(copy(1000, NULL), ST_OK);
    assert_int_equal(stat("to/a/one", &before), 0);
    put("to/two", "TWO and more");
    put("to/more", "made by a run");
    folder("to/made");
    folder("to/made/below");
    put("to/made/below/file", "x");
    assert_int_equal(chmod("to/made/below", S_IRUSR | S_IXUSR), 0);
    folder("to/__pycache__");
    assert_int_equal(unlink("to/link"), 0);
    assert_int_equal(copy(1000, NULL), ST_OK);
    assert_string_equal(text_of("to/two"), "two");
    assert_string_equal(link_of("to/link"), "a/one");
    assert_false(is_there("to/more") || is_there("to/made"));
    assert_true(is_there("to/__pycache__"));
    assert_int_equal(stat("to/a/one", &after), 0);
    assert_int_equal(after.st_ino, before.st_ino); /* what is the same is not written again */
}

/* A file, a folder, a link and a FIFO, each in the place of each other one. */
TEST(what_stands_there_makes_room)
{
    enum { FILE_, FOLDER, LINK, FIFO, KINDS };

    assert_int_equal(copy(1000, NULL), ST_OK);
    for (int was = 0; was < KINDS; was++)
        for (int is = 0; is < KINDS; is++) {
            for (int side = 0; side < 2; side++) {
                const char *path = side == 0 ? "to/x" : "from/x";
                int kind = side == 0 ? was : is;
                nftw(path, remove_one, 10, FTW_DEPTH | FTW_PHYS);
                if (kind == FILE_)
                    put(path, side == 0 ? "of a run" : "original");
                else if (kind == FOLDER)
                    folder(path);
                else if (kind == LINK)
                    assert_int_equal(symlink(side == 0 ? "/elsewhere" : "two", path), 0);
                else
                    assert_int_equal(mkfifo(path, S_IRUSR | S_IWUSR), 0);
            }
            struct stat info;
            assert_int_equal(copy(1000, NULL), ST_OK);
            assert_int_equal(lstat("to/x", &info) == 0, is != FIFO);
            if (is == FILE_)
                assert_string_equal(text_of("to/x"), "original");
            else if (is == FOLDER)
                assert_true(S_ISDIR(info.st_mode));
            else if (is == LINK)
                assert_string_equal(link_of("to/x"), "two");
        }
}

TEST(links_what_is_named)
{
    assert_int_equal(copy(1000, NULL), ST_OK);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(copy(3, "a"), ST_OK); /* `two` is the same already */
        assert_non_null(strstr(link_of("to/a"), "/from/a"));
        assert_string_equal(text_of("to/a/one"), "one");
    }
}

TEST(copies_no_more_than_it_may)
{
    assert_int_equal(copy(5, NULL), ST_INPUT);
    assert_non_null(strstr(e.text, "--link NAME"));
    assert_int_equal(copy(6, NULL), ST_OK);
}

TEST(has_an_end_in_depth)
{
    struct buf path = {0};

    buf_add_text(&path, "from");
    for (int i = 0; i <= COPY_DEPTH_MAX; i++) {
        buf_add_text(&path, "/d");
        folder(buf_cstr(&path));
    }
    buf_clear(&path);
    assert_int_equal(copy(1000, NULL), ST_INPUT);
    assert_non_null(strstr(e.text, "more than 64 folders in each other"));
}

TEST(says_what_cannot_be_read_or_made)
{
    const struct copy_spec spec = {.most = 1000};

    assert_int_equal(copy_folder("nowhere", "to", &spec, &e), ST_IO);
    assert_string_equal(e.text, "nowhere cannot be read: No such file or directory");
    assert_int_equal(copy_folder("from", "no/where", &spec, &e), ST_IO);
    assert_string_equal(e.text, "no/where cannot be made: No such file or directory");
    put("file", "x");
    assert_int_equal(copy_folder("from", "file", &spec, &e), ST_IO);
    assert_string_equal(e.text, "file cannot be read: Not a directory");
    assert_int_equal(unlink("file"), 0);
}

int main(void)
{
    return unit_run(NULL, NULL, begin, end);
}
