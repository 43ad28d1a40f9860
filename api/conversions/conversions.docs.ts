import { z } from 'zod'
import { binary, inPath, json, nothing, type RouteDoc } from '../openapi/index.js'
import { onDocuments } from '../rest/index.js'
import {
  conversionParameters,
  conversionScheduled,
  conversionStatus,
  converterList,
} from './conversions.schema.js'

const tag = 'conversions'

const id = inPath({ conversion: 'Id of the conversion' })
const file = binary('The converted file')

const convert = (path: string, what: string, operationId: string): RouteDoc[] => {
  const place = path === '' ? {} : inPath({ xpath: 'Where the file is' }).shape
  return [
    {
      method: 'GET',
      path: `${path}/@convert`,
      operationId: `convert${operationId}`,
      summary: `Converts ${what}`,
      description: 'Every other parameter is one of the converter.',
      tag,
      parameters: {
        path: z.object(place),
        query: z.object(conversionParameters.shape).omit({ async: true }),
      },
      responses: { 200: file },
    },
    {
      method: 'POST',
      path: `${path}/@convert`,
      operationId: `startToConvert${operationId}`,
      summary: `Converts ${what}, now or later`,
      description:
        'Parameters may be in the address or in the body; every other one is one of the converter.',
      tag,
      parameters: { path: z.object(place), query: z.object(conversionParameters.shape) },
      body: { 'application/x-www-form-urlencoded': conversionParameters },
      responses: {
        200: file,
        202: {
          ...json('It is under way', conversionScheduled),
          headers: { Location: 'Where to ask how far it is' },
        },
      },
    },
  ]
}

const redirect: RouteDoc['responses'] = {
  303: { ...nothing('It is done'), headers: { Location: 'Where the file is' } },
}

const following = (root: 'conversion' | 'conversions', suffix: string): RouteDoc[] => [
  {
    method: 'GET',
    path: `/${root}/{conversion}/poll`,
    operationId: `pollConversion${suffix}`,
    summary: 'How far a conversion is',
    tag,
    parameters: { path: id },
    responses: {
      200: json('Its state', conversionStatus),
      ...(root === 'conversion' ? redirect : {}),
    },
  },
  {
    method: 'GET',
    path: `/${root}/{conversion}/result`,
    operationId: `getConversionResult${suffix}`,
    summary: 'The file of a conversion that is done',
    tag,
    parameters: { path: id },
    responses: { 200: file },
  },
]

/** Conversions (blobs-conversions.md §3). */
export const conversionDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '/converters',
    operationId: 'listConverters',
    summary: 'Every converter, and what those miss that cannot work',
    tag,
    responses: { 200: json('The converters', converterList) },
  },
  ...following('conversion', ''),
  ...following('conversions', 'Json'),
  ...onDocuments([
    ...convert('', 'the main file of a document', 'MainBlob'),
    ...convert('/@blob/{xpath}', 'a file of a document', 'Blob'),
  ]),
]
