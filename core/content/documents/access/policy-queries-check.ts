import { permissionsRegistry, SYSTEM, securityPoliciesPoint } from '../../../access/security/index.js'
import { modelRegistry } from '../../../model/content-model/index.js'
import { narrowed, parseConditions, parseNxql, refusalOfConditions } from '../../../model/nxql/index.js'
import { defineRegistry } from '../../../platform/contributions/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { QueryBackend } from '../../stores/index.js'

const ALL = parseNxql('SELECT * FROM Document')

/**
 * Refuses security policies whose query names what the content model does not have: it becomes part of every query
 * and of every look at a document, which would then fail for everybody but administrators.
 *
 * @param checks of the backends that answer queries: the repository decides by it, searches are narrowed by it.
 */
export const createPolicyQueriesRegistry = (checks: readonly QueryBackend['check'][]) =>
  defineRegistry({
    name: 'queries of security policies',
    build: (contributions, snapshot) => {
      const scope = { model: snapshot.get(modelRegistry), now: new Date(0), principal: SYSTEM }
      for (const { name, query } of snapshot.get(permissionsRegistry).policies) {
        if (query === null) continue
        const message = refusalOfConditions(query, (text) => {
          const asked = narrowed(ALL, [parseConditions(text)])
          for (const check of checks) check(asked, scope)
        })
        if (message === undefined) continue
        const policy = { point: securityPoliciesPoint.point, name }
        throw fail('invalid', `${policy.point}.${name}.query: ${message}`, {
          details: [contributions.locate(policy, { path: ['query'], message })],
        })
      }
    },
  })
