import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import {
  byType,
  type ContributionDeployments,
  type ContributionFeed,
  type ContributionFormat,
  type DeployCall,
  type DeployedVersion,
  jsonSchemaOfFile,
  MAX_TEXT_LENGTH,
  type PointHandler,
} from '../../core/platform/contributions/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { type Content, JSON_TYPE, json, routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import {
  conditionHeaders,
  contributionList,
  contributionVersion,
  deploymentPlan,
  deployQuery,
  extensionPoints,
  readQuery,
} from './contributions.schema.js'
import { etagOf, isUnchanged, preconditionOf } from './etag.js'
import { formatOfBody, negotiatedFormat } from './negotiate.js'
import { contributionEntity, deploymentEntity, planEntity, represent } from './represent.js'
import { callsOfBody, contributionSet } from './set.js'

export type ContributionDependencies = {
  deployments: ContributionDeployments
  feed: Pick<ContributionFeed, 'current'>
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

/**
 * All users may call chains and read their parameters. Only administrators read their text and the rest of the
 * configuration, here as on the pages of operations: it may contain secrets and internal addresses.
 */
const requireReader = (c: RequestContext): void => {
  if (!c.get('principal').isAdministrator)
    throw fail('forbidden', 'Only administrators may read contributions')
}

/** The JSON Schema of chains is public to all users, as they write calls of chains. */
const PUBLIC_NOTATION = 'chains'

const schemaResponse = (c: RequestContext, schema: object): Response =>
  c.body(JSON.stringify(schema), 200, { 'Content-Type': 'application/schema+json; charset=UTF-8' })

/** Checked before the body is read, so that a forbidden upload is not transferred. */
const requireAdministrator = (c: RequestContext, noun: string): DeployCall['principal'] => {
  const principal = c.get('principal')
  if (!principal.isAdministrator) throw fail('forbidden', `Only administrators may deploy or delete ${noun}s`)
  return principal
}

const texts: Content = {
  'application/yaml': z.string(),
  [JSON_TYPE]: z.looseObject({}),
  'application/xml': z.string(),
}

const jsonSchema = { description: 'The schema', content: { 'application/schema+json': z.looseObject({}) } }

const describeContributions = routeGroup({
  tag: 'contributions',
  path: { point: 'Name of the extension point, e.g. chains', name: 'Name of the contribution' },
  errors: [403],
})

/** The notations that a version can be shown in. */
const formatsOf = (
  { formats, onlyRead = [] }: Pick<PointHandler, 'formats' | 'onlyRead'>,
  { format }: Pick<DeployedVersion, 'format'>,
): readonly ContributionFormat[] => formats.filter((each) => each === format || !onlyRead.includes(each))

export const contributionDocs = describeContributions({
  listExtensionPoints: ['GET /contributions', 'The extension points', { 200: extensionPoints }],
  deployComponent: [
    'POST /contributions',
    'Deploys several contributions in one transaction',
    {
      description:
        'The XML of a component of the incumbent, a YAML file of contributions by extension point and name, or texts in JSON. They may refer to one another in any order. Each mistake is reported with its contribution and the position (source) of its text.',
      query: deployQuery,
      body: { ...texts, [JSON_TYPE]: contributionSet },
      200: json('What was deployed, or would be, in order', z.union([contributionList, deploymentPlan])),
    },
  ],
  listContributions: [
    'GET /contributions/{point}',
    'The contributions of an extension point',
    { 200: contributionList },
  ],
  getConfigurationSchema: [
    'GET /contributions/schema.json',
    'The JSON Schema of a configuration file: all extension points, for administrators',
    { 200: jsonSchema },
  ],
  getContributionSchema: [
    'GET /contributions/{point}/schema.json',
    'The JSON Schema of a contribution',
    { 200: jsonSchema },
  ],
  getContribution: [
    'GET /contributions/{point}/{name}',
    'Reads a contribution or its versions',
    {
      query: readQuery,
      200: { description: 'The contribution in the notation that Accept names', content: texts },
      304: 'It matches If-None-Match',
    },
  ],
  deployContribution: [
    'PUT /contributions/{point}/{name}',
    'Deploys a contribution',
    {
      query: deployQuery,
      header: conditionHeaders,
      body: texts,
      200: json('A new version of it, or what would change', z.union([contributionVersion, deploymentPlan])),
      201: json('The first version', contributionVersion),
    },
  ],
  deleteContribution: [
    'DELETE /contributions/{point}/{name}',
    'Removes a contribution',
    { header: conditionHeaders, 204: 'It is removed' },
  ],
})

/**
 * Contributions deployed at run time, mounted at `/api/v1/contributions`: for every extension point, with their
 * versions, their conditions (`If-Match`, `If-None-Match`) and the JSON Schema of their notation.
 */
export const createContributionRoutes = ({
  deployments,
  feed,
}: ContributionDependencies): Hono<Environment> => {
  const app = new Hono<Environment>()

  app.get('/', (c) => {
    requireReader(c)
    const entries = deployments.handlers.map(({ point, formats }) => ({ point, formats }))
    return c.json({ 'entity-type': 'extensionPoints', entries })
  })

  app.get('/schema.json', async (c) => {
    requireReader(c)
    const deployed = await feed.current()
    const points = deployments.handlers.map(({ point, jsonSchema }) => ({
      point,
      schema: byType({ ...jsonSchema(deployed) }),
    }))
    return schemaResponse(c, jsonSchemaOfFile(points))
  })

  app.post(
    '/',
    async (c, next) => {
      requireAdministrator(c, 'contribution')
      await next()
    },
    limitBody,
    async (c) => {
      const { dryRun } = parseQuery(c, deployQuery)
      const parts = callsOfBody(await readBody(c), formatOfBody(c), deployments.handlers)
      const principal = requireAdministrator(c, 'contribution')
      const calls = parts.map((part): DeployCall => ({ ...part, principal, precondition: {} }))
      if (dryRun) {
        const planned = await deployments.planAll(calls)
        const entries = calls.map(({ point, name, source }, index) => ({
          ...{ point, id: name, ...(source !== undefined && { source }) },
          ...planEntity(deployments.handler(point), planned[index]!),
        }))
        return c.json({ 'entity-type': 'contributionPlans', entries })
      }
      const deployed = await deployments.deployAll(calls)
      const entries = deployed.map((deployment, index) => {
        const { point } = deployment.deployed
        const source = calls[index]?.source
        return {
          ...{ point, ...(source !== undefined && { source }) },
          ...deploymentEntity(deployments.handler(point), deployment),
        }
      })
      return c.json({ 'entity-type': 'contributions', entries }, 200)
    },
  )

  app.get('/:point', async (c) => {
    const point = c.req.param('point')
    requireReader(c)
    const handler = deployments.handler(point)
    const entries = (await deployments.list(point)).map((version) => contributionEntity(handler, version))
    return c.json({ 'entity-type': `${handler.entityType}s`, entries })
  })

  app.get('/:point/schema.json', async (c) => {
    const point = c.req.param('point')
    if (point !== PUBLIC_NOTATION) requireReader(c)
    const handler = deployments.handler(point)
    return schemaResponse(c, byType({ ...handler.jsonSchema(await feed.current()) }))
  })

  app.get('/:point/:name', async (c) => {
    const { point, name } = c.req.param()
    requireReader(c)
    const handler = deployments.handler(point)
    const { version: asked, versions: areAllAsked } = parseQuery(c, readQuery)
    if (areAllAsked) {
      const versions = await deployments.versions(point, name)
      return c.json({
        'entity-type': `${handler.entityType}Versions`,
        entries: versions.map((version) => contributionEntity(handler, version)),
      })
    }
    const found = await deployments.get(point, name, asked)
    const format = negotiatedFormat(c, formatsOf(handler, found))
    const { text, headers } = represent(handler, found, format)
    return isUnchanged(c, etagOf(found.version, format))
      ? c.body(null, 304, headers)
      : c.body(text, 200, headers)
  })

  app.put(
    '/:point/:name',
    async (c, next) => {
      requireAdministrator(c, deployments.handler(c.req.param('point')).noun)
      await next()
    },
    limitBody,
    async (c) => {
      const { point, name } = c.req.param()
      const handler = deployments.handler(point)
      const call: DeployCall = {
        principal: requireAdministrator(c, handler.noun),
        point,
        name,
        format: formatOfBody(c),
        precondition: preconditionOf(c),
        text: await readBody(c),
      }
      if (parseQuery(c, deployQuery).dryRun) return c.json(planEntity(handler, await deployments.plan(call)))
      const deployment = await deployments.deploy(call)
      return c.json(deploymentEntity(handler, deployment), deployment.isNew ? 201 : 200, {
        ETag: etagOf(deployment.deployed.version),
      })
    },
  )

  app.delete('/:point/:name', async (c) => {
    const { point, name } = c.req.param()
    const principal = requireAdministrator(c, deployments.handler(point).noun)
    await deployments.remove({ principal, point, name, precondition: preconditionOf(c) })
    return c.body(null, 204)
  })

  return app
}
