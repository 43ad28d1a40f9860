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
 * @param check of the backend that answers queries.
 */
export const createPolicyQueriesRegistry = (check: QueryBackend['check']) =>
  defineRegistry({
    name: 'queries of security policies',
    build: (_, snapshot) => {
      const scope = { model: snapshot.get(modelRegistry), now: new Date(0), principal: SYSTEM }
      for (const { name, query } of snapshot.get(permissionsRegistry).policies) {
        if (query === null) continue
        try {
          check(narrowed(ALL, [parseConditions(query)]), scope)
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
