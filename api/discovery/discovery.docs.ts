import { z } from 'zod'
import { component, json, type RouteDoc } from '../openapi/index.js'

const repositoryInfo = z.object({
  repositoryId: z.string(),
  repositoryName: z.string(),
  vendorName: z.string(),
  productName: z.string(),
  productVersion: z.string(),
  rootFolderUrl: z.string(),
})

const capabilities = component(
  'capabilities',
  z.object({
    server: z.object({
      distributionName: z.string(),
      distributionVersion: z.string(),
      distributionServer: z.string(),
    }),
    cluster: z.object({ enabled: z.boolean() }),
    repository: z.record(z.string(), z.object({ queryBlobKeys: z.boolean() })),
  }),
)

const tag = 'discovery'

/** What clients ask to learn whom they talk to. */
export const discoveryDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '//json/cmis',
    operationId: 'getRepositories',
    summary: 'The repositories, and the release that clients may expect',
    tag,
    responses: { 200: json('By name', z.record(z.string(), repositoryInfo)) },
  },
  {
    method: 'GET',
    path: '/capabilities',
    operationId: 'getCapabilities',
    summary: 'What the server can do',
    tag,
    responses: { 200: json('The capabilities', capabilities) },
  },
  {
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenapi',
    summary: 'This document',
    tag,
    responses: {
      200: {
        ...json('OpenAPI 3.1', z.looseObject({ openapi: z.string() })),
        headers: { ETag: 'Of this content model' },
      },
      304: { description: 'It is still the one of If-None-Match' },
    },
  },
]
