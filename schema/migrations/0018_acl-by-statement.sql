-- Statements say themselves which ACL is in force; nobody reads it like a column any more.
DROP FUNCTION acl_id(documents);
