import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Registry } from '../../core/automation/index.js'
import {
  type ChainDeployments,
  type DeployCall,
  jsonSchemaOfChains,
  MAX_TEXT_LENGTH,
} from '../../core/chains/index.js'
import { fail } from '../../core/errors/index.js'
import type { Environment, RequestContext } from '../environment.js'
import { etagOf, isUnchanged, preconditionOf } from './etag.js'
import { formatOfAnswer, formatOfBody } from './negotiate.js'
import { chainEntity, represent } from './represent.js'

export type ContributionDependencies = {
  chains: ChainDeployments
  /** What can be called now, for the schema. */
  registry(): Promise<Registry>
}

/** Longest character in UTF-8. */
const BYTES_PER_CHARACTER = 4
const MAX_BODY = MAX_TEXT_LENGTH * BYTES_PER_CHARACTER

const limitBody = bodyLimit({
  maxSize: MAX_BODY,
  onError: () => {
    throw fail('tooLarge', `The request body is larger than ${MAX_BODY} bytes`)
  },
})

const readBody = async (c: RequestContext): Promise<string> => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await c.req.arrayBuffer())
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw fail('badRequest', 'The request body is not text in UTF-8', { cause })
  }
}

const versionOf = (c: RequestContext): number | undefined => {
  const text = c.req.query('version')
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw fail('badRequest', `version: expected a number, found "${text}"`)
  return Number(text)
}

const isDryRun = (c: RequestContext): boolean => {
  const text = c.req.query('dryRun') ?? 'false'
  if (text !== 'true' && text !== 'false')
    throw fail('badRequest', `dryRun: expected true or false, found "${text}"`)
  return text === 'true'
}

/** Asked before the body is read: what others may not do is not worth their upload. */
const requireAdministrator = (c: RequestContext): DeployCall['principal'] => {
  const principal = c.get('principal')
  if (!principal.isAdministrator) throw fail('forbidden', 'Only administrators may deploy or delete chains')
  return principal
}

/**
 * Contributions deployed at run time, mounted at `/api/v1/contributions`: chains with their versions, their
 * conditions (`If-Match`, `If-None-Match`) and the JSON Schema of their notation.
 */
export const createContributionRoutes = ({
  chains,
  registry,
}: ContributionDependencies): Hono<Environment> => {
  const app = new Hono<Environment>()

  app.get('/chains', async (c) =>
    c.json({ 'entity-type': 'chains', entries: (await chains.list()).map(chainEntity) }),
  )

  app.get('/chains/schema.json', async (c) =>
    c.body(JSON.stringify(jsonSchemaOfChains(await registry())), 200, {
      'Content-Type': 'application/schema+json; charset=UTF-8',
    }),
  )

  app.get('/chains/:id', async (c) => {
    const format = formatOfAnswer(c)
    const found = await chains.get(c.req.param('id'), versionOf(c))
    const { text, headers } = represent(found, format)
    return isUnchanged(c, etagOf(found.version, format))
      ? c.body(null, 304, headers)
      : c.body(text, 200, headers)
  })

  app.put(
    '/chains/:id',
    async (c, next) => {
      requireAdministrator(c)
      await next()
    },
    limitBody,
    async (c) => {
      const call: DeployCall = {
        principal: requireAdministrator(c),
        id: c.req.param('id'),
        format: formatOfBody(c),
        precondition: preconditionOf(c),
        text: await readBody(c),
      }
      if (isDryRun(c)) return c.json({ 'entity-type': 'chainPlan', ...(await chains.plan(call)) })
      const { deployed, isNew } = await chains.deploy(call)
      return c.json(chainEntity(deployed), isNew ? 201 : 200, { ETag: etagOf(deployed.version) })
    },
  )

  app.delete('/chains/:id', async (c) => {
    const principal = requireAdministrator(c)
    await chains.remove({ principal, id: c.req.param('id'), precondition: preconditionOf(c) })
    return c.body(null, 204)
  })

  return app
}
