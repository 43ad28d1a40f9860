import { z } from 'zod'
import { defineExtensionPoint, type Finding, type Reference } from '../../platform/contributions/index.js'
import { isMimeType } from '../blobs/index.js'
import { converterElements } from './converter-xml.js'
import { COMMAND_PARAMETER, engineNames } from './engines/engine.js'
import { videoProblems } from './engines/videos/video-parameters.js'

const mimeType = z
  .string()
  .refine((text) => isMimeType(text) && !text.includes('*'), 'expected a mime type such as text/plain')

const mimePattern = z
  .string()
  .refine(
    (text) => text === '*' || isMimeType(text.replace(/\/\*$/, '/any')),
    'expected a mime type, type/* or *',
  )

/** One converter as configuration has it (blobs-conversions.md §3, converter registry). */
export const converterSchema = z.strictObject({
  engine: z
    .enum(engineNames)
    .optional()
    .describe('The program that converts; either this or conversionSteps.'),
  sourceMimeTypes: z
    .array(mimePattern)
    .optional()
    .describe("Exact, type/* or *. A chain may leave it out: it is its first step's."),
  destinationMimeType: mimeType
    .optional()
    .describe("Left out where parameters decide, or for a chain: it is its last step's."),
  conversionSteps: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(
      'A chain: names of converters, or mime types to pass through, each hop found by its mime types.',
    ),
  parameters: z
    .record(z.string(), z.coerce.string())
    .optional()
    .describe("Defaults; the caller's parameters win."),
  bypassIfSameMimeType: z.boolean().optional().describe('Returns a source of the destination type as it is.'),
})

export type ConverterEntry = z.output<typeof converterSchema>

/** True for a step that names a mime type rather than a converter. */
export const isMimeTypeStep = (step: string): boolean => step.includes('/')

/** The engines that run a contributed command line. */
const COMMAND_ENGINES: readonly (string | undefined)[] = ['command', 'video']

const commandReferences = ({
  engine,
  parameters = {},
}: Omit<ConverterEntry, 'conversionSteps'>): Reference[] => {
  const name = parameters[COMMAND_PARAMETER]
  if (name === undefined || !COMMAND_ENGINES.includes(engine)) return []
  return [{ path: ['parameters', COMMAND_PARAMETER], point: 'commands', name }]
}

/** `converters:` in the configuration; a later converter wins over an earlier one for the same types. */
export const convertersPoint = defineExtensionPoint({
  point: 'converters',
  elements: converterElements,
  schema: converterSchema,
  references: ({ conversionSteps = [], ...entry }) => [
    ...conversionSteps.flatMap((name, index) =>
      isMimeTypeStep(name) ? [] : [{ path: ['conversionSteps', index], point: 'converters', name }],
    ),
    ...commandReferences(entry),
  ],
  check: ({ engine, conversionSteps, sourceMimeTypes, parameters = {}, destinationMimeType }): Finding[] => {
    if ((engine === undefined) === (conversionSteps === undefined))
      return [{ path: [], message: 'expected either engine or conversionSteps' }]
    if (engine !== undefined && !sourceMimeTypes?.length)
      return [{ path: [], message: 'expected sourceMimeTypes beside engine' }]
    if (engine === 'command' && parameters[COMMAND_PARAMETER] === undefined)
      return [{ path: ['parameters'], message: `expected ${COMMAND_PARAMETER} beside engine: command` }]
    if (engine === 'video')
      return videoProblems(parameters, destinationMimeType).map(({ name, message }) => ({
        path: ['parameters', name],
        message,
      }))
    return []
  },
})
