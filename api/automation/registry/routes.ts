import { Hono } from 'hono'
import { writeYamlView } from '../../../core/automation/chains/index.js'
import type { Registry } from '../../../core/automation/language/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Environment } from '../../edge/index.js'
import { chainJson, operationJson, registryJson } from './registry-json.js'

/** The registry: all operations and chains at `/`, a single one at its id. */
export const createRegistryRoutes = (registry: () => Registry): Hono<Environment> => {
  const app = new Hono<Environment>()

  app.get('/', (c) => {
    const body = registryJson(registry())
    return c.body(JSON.stringify(body, null, c.req.query('pretty') === 'true' ? 2 : undefined), 200, {
      'content-type': 'application/json',
    })
  })

  app.get('/:id', (c) => {
    const known = registry()
    const found = known.get(c.req.param('id'))
    return c.json(
      found.kind === 'chain' ? chainJson(found.chain, known, found.chain.id) : operationJson(found.operation),
    )
  })

  /** The text of a chain is for administrators (reference: automation.md §9); an operation has no steps to show. */
  app.get('/:id/yaml', (c) => {
    const found = registry().get(c.req.param('id'))
    if (found.kind === 'chain' && !c.get('principal').isAdministrator)
      throw fail('forbidden', 'Only administrators may read the text of a chain')
    const text = found.kind === 'chain' ? writeYamlView(found.chain) : '{}\n'
    return c.body(text, 200, { 'content-type': 'application/yaml' })
  })

  return app
}
