import { acls, extendedAcls } from './acls.js'
import { audit } from './audit.js'
import { breadcrumb } from './breadcrumb.js'
import { children } from './children.js'
import { collections } from './collections.js'
import { documentUrl } from './document-url.js'
import type { Enricher } from './enricher.js'
import { favorites } from './favorites.js'
import { firstAccessibleAncestor } from './first-accessible-ancestor.js'
import { hasContent } from './has-content.js'
import { hasFolderishChild } from './has-folderish-child.js'
import { permissions } from './permissions.js'
import { preview } from './preview.js'
import { publications } from './publications.js'
import { renditions } from './renditions.js'
import { subscribedNotifications } from './subscribed-notifications.js'
import { subtypes } from './subtypes.js'
import { tags } from './tags.js'
import { thumbnail } from './thumbnail.js'
import { userVisiblePermissions } from './user-visible-permissions.js'
import { vocabularies } from './vocabularies.js'
import { pendingTasks, runnableWorkflows, runningWorkflows } from './workflows.js'

const all: readonly Enricher[] = [
  acls,
  audit,
  breadcrumb,
  children,
  collections,
  documentUrl,
  extendedAcls,
  favorites,
  firstAccessibleAncestor,
  hasContent,
  hasFolderishChild,
  permissions,
  preview,
  publications,
  renditions,
  subscribedNotifications,
  subtypes,
  tags,
  thumbnail,
  userVisiblePermissions,
  vocabularies,
  pendingTasks,
  runnableWorkflows,
  runningWorkflows,
]

/** By name and alias. */
export const enrichersByName: ReadonlyMap<string, Enricher> = new Map(
  all.flatMap((enricher) =>
    [enricher.name, ...(enricher.aliases ?? [])].map((name) => [name, enricher] as const),
  ),
)

export type { Added, Enricher, EnricherCall } from './enricher.js'
