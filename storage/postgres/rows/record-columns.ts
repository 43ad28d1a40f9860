import { ACL_IN_FORCE } from './read-rights.js'

/**
 * The columns of a document under the names of its record, so that a row needs no mapping. `d` is the alias
 * that every statement gives to `documents`.
 */
export const RECORD_COLUMNS = `
  d.id, d.parent_id AS "parentId", d.name, d.path, d.position, d.type, d.facets,
  d.lifecycle_state AS "lifecycleState", d.is_version AS "isVersion", d.is_proxy AS "isProxy",
  d.is_checked_in AS "isCheckedIn", d.is_trashed AS "isTrashed", d.major_version AS "majorVersion",
  d.minor_version AS "minorVersion", d.version_series_id AS "versionSeriesId",
  d.version_label AS "versionLabel", d.version_description AS "versionDescription",
  d.version_created_at AS "versionCreatedAt", d.is_latest_version AS "isLatestVersion",
  d.is_latest_major_version AS "isLatestMajorVersion", d.base_version_id AS "baseVersionId",
  d.proxy_target_id AS "proxyTargetId", d.proxy_version_series_id AS "proxyVersionSeriesId",
  d.lock_owner AS "lockOwner", d.locked_at AS "lockedAt", d.system_token AS "systemToken",
  d.user_token AS "userToken", ${ACL_IN_FORCE} AS "aclId", d.properties`
