import { z } from 'zod'
import { defineExtensionPoint, type Finding, suggestion } from '../../platform/contributions/index.js'
import { lifecycleElements } from './lifecycle-xml.js'
import { modelName } from './names.js'

const transition = z.union([
  modelName.transform((to) => ({ to, description: undefined })),
  z.strictObject({ to: modelName, description: z.string().optional() }),
])

export type LifecycleContent = z.output<typeof lifecycleContent>

const lifecycleContent = z.strictObject({
  initial: modelName.optional().describe('State of new documents'),
  states: z
    .record(modelName, z.array(modelName))
    .default({})
    .describe('By state, the transitions that leave it'),
  transitions: z
    .record(modelName, transition)
    .default({})
    .describe('By transition, the state that it leads to'),
})

/** Life cycles: states, and the transitions between them. */
export const lifecyclesPoint = defineExtensionPoint({
  point: 'lifecycles',
  elements: lifecycleElements,
  name: modelName,
  schema: lifecycleContent,
  check: ({ initial, states, transitions }) => {
    if (initial === undefined) return [{ path: [], message: 'needs an "initial" state' }]
    return [
      ...unknown(['initial'], initial, states, 'state'),
      ...Object.entries(states).flatMap(([state, leaving]) =>
        leaving.flatMap((name, index) => unknown(['states', state, index], name, transitions, 'transition')),
      ),
      ...Object.entries(transitions).flatMap(([name, { to }]) =>
        unknown(['transitions', name], to, states, 'state'),
      ),
    ]
  },
})

const unknown = (
  path: PropertyKey[],
  name: string,
  known: Record<string, unknown>,
  kind: string,
): Finding[] =>
  Object.hasOwn(known, name)
    ? []
    : [{ path, value: name, message: `unknown ${kind} "${name}"${suggestion(name, Object.keys(known))}` }]
