import { getEffectiveAcls, hasPermission } from '../../../../core/content/documents/index.js'
import { enrichedAcls, entityOptions } from '../../entities/index.js'
import { type Enricher, each } from './enricher.js'

/** Omitted for callers who may not read the security of the document. */
export const acls: Enricher = {
  name: 'acls',
  enrich: each(async (document, { c, session }) =>
    (await hasPermission(session, document, 'ReadSecurity'))
      ? {
          acls: await enrichedAcls(
            session,
            await getEffectiveAcls(session, document),
            entityOptions(c, 'acls').fetch,
          ),
        }
      : {},
  ),
}

/** The spelling of clients of 7.4 for `fetch-acls: extended`. */
export const extendedAcls: Enricher = {
  name: 'extendedAcls',
  enrich: each(async (document, { session }) =>
    (await hasPermission(session, document, 'ReadSecurity'))
      ? { acls: await enrichedAcls(session, await getEffectiveAcls(session, document), ['extended']) }
      : {},
  ),
}
