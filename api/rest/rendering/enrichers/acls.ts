import { getEffectiveAcls, hasPermission } from '../../../../core/content/documents/index.js'
import { enrichedAcls, entityOptions } from '../../entities/index.js'
import { type Enricher, each } from './enricher.js'

/** Left out for those who may not see who has which rights. */
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

/** As clients of 7.4 ask for what `fetch-acls: extended` tells today. */
export const extendedAcls: Enricher = {
  name: 'extendedAcls',
  enrich: each(async (document, { session }) =>
    (await hasPermission(session, document, 'ReadSecurity'))
      ? { acls: await enrichedAcls(session, await getEffectiveAcls(session, document), ['extended']) }
      : {},
  ),
}
