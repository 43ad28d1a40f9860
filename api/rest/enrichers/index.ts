import { acls } from './acls.js'
import { breadcrumb } from './breadcrumb.js'
import { children } from './children.js'
import { collections } from './collections.js'
import { documentUrl } from './document-url.js'
import type { Enricher } from './enricher.js'
import { favorites } from './favorites.js'
import { permissions } from './permissions.js'
import { subscribedNotifications } from './subscribed-notifications.js'
import { tags } from './tags.js'
import { userVisiblePermissions } from './user-visible-permissions.js'

const all: readonly Enricher[] = [
  acls,
  breadcrumb,
  children,
  collections,
  documentUrl,
  favorites,
  permissions,
  subscribedNotifications,
  tags,
  userVisiblePermissions,
]

/** By name and alias. */
export const enrichersByName: ReadonlyMap<string, Enricher> = new Map(
  all.flatMap((enricher) =>
    [enricher.name, ...(enricher.aliases ?? [])].map((name) => [name, enricher] as const),
  ),
)

export type { Enricher } from './enricher.js'
