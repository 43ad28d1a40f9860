import { z } from 'zod'
import { type Content, inPath, JSON_TYPE, json, nothing, type RouteDoc } from '../openapi/index.js'
import {
  contributionEntity,
  contributionList,
  deploymentPlan,
  deployQuery,
  extensionPoints,
  readQuery,
} from './contributions.schema.js'
import { contributionSet } from './set.js'

const tag = 'contributions'

const point = inPath({ point: 'Name of the extension point, e.g. chains' })
const contribution = z.object({ ...point.shape, ...inPath({ name: 'Name of the contribution' }).shape })

const content: Content = {
  'application/yaml': z.string(),
  [JSON_TYPE]: z.looseObject({}),
  'application/xml': z.string(),
}

const conditions = z.object({
  'If-Match': z.string().optional().describe('Only when this is the version in force'),
  'If-None-Match': z.string().optional().describe('*: only when there is none'),
})

/** Contributions deployed at run time. */
export const contributionDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '/contributions',
    operationId: 'listExtensionPoints',
    summary: 'What can be contributed to',
    tag,
    responses: { 200: json('The extension points', extensionPoints) },
  },
  {
    method: 'POST',
    path: '/contributions',
    operationId: 'deployComponent',
    summary: 'Deploys several contributions together, all of them or nothing',
    description:
      'The XML of a component of the incumbent, a YAML file of contributions by extension point and name, or texts in JSON. They may name one another in whatever order they come; what is wrong with any is told of all, with its contribution and the position (source) of its text.',
    tag,
    parameters: { query: deployQuery },
    body: {
      [JSON_TYPE]: contributionSet,
      'application/yaml': z.string(),
      'application/xml': z.string(),
    },
    responses: {
      200: json('What was deployed, in its order, or would be', z.union([contributionList, deploymentPlan])),
    },
  },
  {
    method: 'GET',
    path: '/contributions/{point}',
    operationId: 'listContributions',
    summary: 'What is deployed to an extension point',
    tag,
    parameters: { path: point },
    responses: { 200: json('The contributions, without their content', contributionList) },
  },
  {
    method: 'GET',
    path: '/contributions/schema.json',
    operationId: 'getConfigurationSchema',
    summary: 'The JSON Schema of a configuration file: all extension points, for administrators',
    tag,
    responses: {
      200: { description: 'The schema', content: { 'application/schema+json': z.looseObject({}) } },
    },
  },
  {
    method: 'GET',
    path: '/contributions/{point}/schema.json',
    operationId: 'getContributionSchema',
    summary: 'The JSON Schema of a contribution',
    tag,
    parameters: { path: point },
    responses: {
      200: { description: 'The schema', content: { 'application/schema+json': z.looseObject({}) } },
    },
  },
  {
    method: 'GET',
    path: '/contributions/{point}/{name}',
    operationId: 'getContribution',
    summary: 'Reads a contribution, or its versions',
    tag,
    parameters: { path: contribution, query: readQuery },
    responses: {
      200: { description: 'The contribution in the notation that Accept names', content },
      304: { description: 'It is still the one of If-None-Match' },
    },
  },
  {
    method: 'PUT',
    path: '/contributions/{point}/{name}',
    operationId: 'deployContribution',
    summary: 'Deploys a contribution',
    tag,
    parameters: { path: contribution, query: deployQuery, header: conditions },
    body: content,
    responses: {
      200: json('A new version of it, or what would change', z.union([contributionEntity, deploymentPlan])),
      201: json('The first version', contributionEntity),
    },
  },
  {
    method: 'DELETE',
    path: '/contributions/{point}/{name}',
    operationId: 'deleteContribution',
    summary: 'Takes a contribution back',
    tag,
    parameters: { path: contribution, header: conditions },
    responses: { 204: nothing('It is taken back') },
  },
]
