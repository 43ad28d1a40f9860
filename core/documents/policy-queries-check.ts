import { modelRegistry, permissionsRegistry } from '../content-model/index.js'
import { type ContributionProblem, defineRegistry } from '../contributions/index.js'
import { fail, isArchivoltError } from '../errors/index.js'
import { compileNxql, narrowed, parseConditions, parseNxql } from '../nxql/index.js'
import { SYSTEM } from '../security/index.js'

const ALL = parseNxql('SELECT * FROM Document')

/**
 * Refuses security policies whose query names what the content model does not have: it becomes part of every query
 * and of every look at a document, which would then fail for everybody but administrators.
 */
export const policyQueriesRegistry = defineRegistry({
  name: 'queries of security policies',
  build: (_, snapshot) => {
    const scope = { model: snapshot.get(modelRegistry), now: new Date(0), principal: SYSTEM }
    for (const { name, query } of snapshot.get(permissionsRegistry).policies) {
      if (query === null) continue
      try {
        compileNxql(narrowed(ALL, [parseConditions(query)]), scope).ids()
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
