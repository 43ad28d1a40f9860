import { describeAclStore } from './acls.js'
import { describeAuditStore } from './audit.js'
import type { ContentBackend } from './backend.js'
import { describeChildStore } from './children.js'
import { describeCollectionStore } from './collections.js'
import { describeCommentStore } from './comments.js'
import { describeCounterStore } from './counters.js'
import { describeDocumentStore } from './documents.js'
import { describeMailQueue } from './mail.js'
import { describeOutbox } from './outbox.js'
import { describeProxyStore } from './proxies.js'
import { describeOwnQueries } from './queries.js'
import { describeRouteStore } from './routes.js'
import { describeSavepoints } from './savepoints.js'
import { describeSubtreeStore } from './subtrees.js'
import { describeTagStore } from './tags.js'
import { describeVersionStore } from './versions.js'

/** The suite of each store of documents, one after the other. */
export const describeContentStores = (name: string, backend: ContentBackend): void => {
  for (const describeStore of [
    describeDocumentStore,
    describeChildStore,
    describeSubtreeStore,
    describeVersionStore,
    describeProxyStore,
    describeAclStore,
    describeTagStore,
    describeCommentStore,
    describeCollectionStore,
    describeCounterStore,
    describeOutbox,
    describeMailQueue,
    describeAuditStore,
    describeRouteStore,
    describeOwnQueries,
    describeSavepoints,
  ])
    describeStore(name, backend)
}

export type { ContentBackend, ContentScope, OpenContent } from './backend.js'
