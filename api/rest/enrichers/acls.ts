import { getEffectiveAcls, hasPermission } from '../../../core/documents/index.js'
import type { Acl } from '../../../core/security/index.js'
import { aceEntity } from '../acl-entity.js'
import type { Enricher } from './enricher.js'

/** Today's clients read `aces`, those of 7.4 `ace`. */
const aclJson = ({ name, aces }: Acl, now: Date) => {
  const entries = aces.map((ace) => {
    const { id, username, ...rest } = aceEntity(ace, now)
    return { id, username, externalUser: false, ...rest }
  })
  return { name, aces: entries, ace: entries }
}

/** Left out for those who may not see who has which rights. */
export const acls: Enricher = {
  name: 'acls',
  enrich: async ({ document, session }) =>
    (await hasPermission(session, document, 'ReadSecurity'))
      ? { acls: (await getEffectiveAcls(session, document)).map((acl) => aclJson(acl, session.now)) }
      : {},
}
