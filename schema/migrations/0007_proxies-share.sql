-- A proxy's row repeats what it shares with its target, so that queries and full text need no join. A trigger
-- and not a part of each update: its statement sees proxies made while the update waited for the target's row.
CREATE FUNCTION archivolt_share_with_proxies() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents p SET
    type = NEW.type, facets = NEW.facets, lifecycle_state = NEW.lifecycle_state,
    is_checked_in = NEW.is_checked_in, major_version = NEW.major_version, minor_version = NEW.minor_version,
    version_label = NEW.version_label, version_description = NEW.version_description,
    version_created_at = NEW.version_created_at, is_latest_version = NEW.is_latest_version,
    is_latest_major_version = NEW.is_latest_major_version, base_version_id = NEW.base_version_id,
    lock_owner = NEW.lock_owner, locked_at = NEW.locked_at, user_token = NEW.user_token,
    system_token = p.system_token + 1, properties = NEW.properties
  WHERE p.proxy_target_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER documents_share_with_proxies AFTER UPDATE ON documents
FOR EACH ROW WHEN (NEW.has_proxies) EXECUTE FUNCTION archivolt_share_with_proxies();
