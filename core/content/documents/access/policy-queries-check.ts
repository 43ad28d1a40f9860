import { permissionsRegistry, SYSTEM } from '../../../access/security/index.js'
import { modelRegistry } from '../../../model/content-model/index.js'
import { narrowed, parseConditions, parseNxql } from '../../../model/nxql/index.js'
import { type ContributionProblem, defineRegistry } from '../../../platform/contributions/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
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
    build: (_, snapshot) => {
      const scope = { model: snapshot.get(modelRegistry), now: new Date(0), principal: SYSTEM }
      for (const { name, query } of snapshot.get(permissionsRegistry).policies) {
        if (query === null) continue
        try {
          const asked = narrowed(ALL, [parseConditions(query)])
          for (const check of checks) check(asked, scope)
        } catch (error) {
          if (!isArchivoltError(error)) throw error
          const { message } = error
          const problem: ContributionProblem = { file: `securityPolicies/${name}`, field: 'query', message }
          throw fail('invalid', `securityPolicies.${name}.query: ${message}`, {
            cause: error,
            details: [problem],
          })
        }
      }
    },
  })
