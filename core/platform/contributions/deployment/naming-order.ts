import { parseYamlSource } from '../yaml/yaml-source.js'
import type { DeployCall } from './deployments.js'

type Text = Pick<DeployCall, 'name' | 'text' | 'format'>

const WORDS = /[\w.:$-]+/g

/** Keys and texts of a content, and their words. Aliases of a text lead to one value many times, visited once. */
const namesIn = ({ text, format }: Text): ReadonlySet<string> => {
  const names = new Set<string>()
  const take = (said: string): void => {
    names.add(said)
    for (const word of said.match(WORDS) ?? []) names.add(word)
  }
  if (format === 'xml') {
    take(text)
    return names
  }
  const left = new Set<unknown>([parseYamlSource(text).value])
  for (const value of left) {
    if (typeof value === 'string') take(value)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, held] of Object.entries(value)) {
      take(key)
      left.add(held)
    }
  }
  return names
}

/** Texts after those of them whose names they hold; in a circle, one comes first. */
export const inNamingOrder = <Call extends Text>(calls: readonly Call[]): readonly Call[] => {
  const byName = new Map<string, Call[]>()
  for (const call of calls) byName.set(call.name, [...(byName.get(call.name) ?? []), call])
  const ordered = new Set<Call>()
  const begun = new Set<Call>()
  const putAfterNamed = (call: Call): void => {
    if (begun.has(call)) return
    begun.add(call)
    for (const name of namesIn(call)) for (const named of byName.get(name) ?? []) putAfterNamed(named)
    ordered.add(call)
  }
  for (const call of calls) putAfterNamed(call)
  return [...ordered]
}
