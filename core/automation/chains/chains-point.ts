import { z } from 'zod'
import type { PropertyValue } from '../../model/properties/index.js'
import { type Contributions, defineExtensionPoint, type Finding } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import type { ChainDefinition } from '../language/index.js'
import { CHAINS } from './chain-registry.js'
import { refusalOfId } from './ids.js'
import { readView } from './reading/read-view.js'
import { refusalOfKey, refusalOfText } from './reading/text-rules.js'
import type { Tree } from './reading/tree.js'

/** Chains in configuration files, by id, each as its YAML view. A later file replaces a chain as a whole. */
export const chainsPoint = defineExtensionPoint({
  point: CHAINS,
  schema: z
    .json()
    .describe('A list of operations, or a map with description, aliases, params, operations and onError'),
  merge: (_, later) => later,
  check: (content, { name }) => readContent(name, content).findings,
})

/** The chains of a configuration that `loadContributions` has checked, for `createChainRegistry`. */
export const chainsOf = (contributions: Contributions): ChainDefinition[] =>
  [...contributions.get(chainsPoint)].map(([id, content]) => {
    const { chain, findings } = readContent(id, content)
    if (findings[0]) throw fail('invalid', `Chain '${id}' of the configuration: ${findings[0].message}`)
    // Where it stood is known to the configuration's own errors; here are no lines to speak of.
    return {
      ...chain,
      steps: chain.steps.map(({ at: _, ...step }) => step),
      ...(chain.onError && { onError: chain.onError.map(({ at: _, ...errorChain }) => errorChain) }),
    }
  })

const NOWHERE = { line: 1, column: 1 }

const treeOfValue = (value: PropertyValue): Tree => {
  if (Array.isArray(value)) return { kind: 'list', at: NOWHERE, items: value.map(treeOfValue) }
  if (typeof value !== 'object' || value === null) return { kind: 'scalar', at: NOWHERE, value }
  const entries = Object.entries(value).map(([key, inner]) => ({
    key,
    keyAt: NOWHERE,
    value: treeOfValue(inner),
  }))
  return { kind: 'map', at: NOWHERE, entries }
}

const readContent = (id: string, content: unknown): { chain: ChainDefinition; findings: Finding[] } => {
  const findings: Finding[] = []
  const note = (field: string, message: string): void => {
    const { path, isWhole } = pathOf(field)
    const inList = Array.isArray(content) && path[0] === 'operations'
    findings.push({
      path: inList ? path.slice(1) : path,
      message: isWhole ? message : `${field}: ${message}`,
    })
  }
  const refusal = refusalOfId(id)
  if (refusal) note('', `"${id}" cannot be a chain's id: it ${refusal}`)
  // The point's schema lets nothing pass but JSON.
  const value = content as PropertyValue
  for (const text of textsIn(value)) {
    const reason = refusalOfKey(text) ?? refusalOfText(text)
    if (reason) note('', reason)
  }
  const { chain } = readView(id, treeOfValue(value), (field, _, message) => note(field, message))
  return { chain, findings }
}

const textsIn = (value: PropertyValue): string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

/** `operations[2].target` -> operations, 2: as deep as a place in the file is sure to exist. */
const pathOf = (field: string): { path: PropertyKey[]; isWhole: boolean } => {
  const [whole = '', head = '', index] = /^(\w*)(?:\[(\d+)\])?/.exec(field) ?? []
  const path = head === '' ? [] : index === undefined ? [head] : [head, Number(index)]
  return { path, isWhole: whole === field }
}
