"""The columns of post, as Parquet has them: those of docs/posts.md, with the types of Spark."""

_NUMBERS = {"post_id", "parent_id", "accepted_answer_id", "score", "view_count", "answer_count",
            "comment_count", "favorite_count", "owner_user_id", "last_editor_user_id"}

POST = [(name, "bigint" if name in _NUMBERS else "array<string>" if name == "tags" else "string")
        for name in (
            "site", "post_id", "post_type", "parent_id", "accepted_answer_id", "title", "tags",
            "score", "view_count", "answer_count", "comment_count", "favorite_count", "created_at",
            "deleted_at", "last_edited_at", "last_activity_at", "closed_at", "community_owned_at",
            "owner_user_id", "owner_display_name", "last_editor_user_id",
            "last_editor_display_name", "content_license", "url", "body_html")]
