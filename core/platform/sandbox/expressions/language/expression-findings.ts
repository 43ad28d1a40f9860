import type { Finding } from '../../../contributions/index.js'
import { bareSource } from './bare-source.js'
import { refusalOfSource } from './refusal.js'

/** Why an expression of a contribution, with or without the prefix, cannot be evaluated; nothing of an absent one. */
export const expressionFindings = (path: PropertyKey[], text: string | undefined): Finding[] => {
  const message = text === undefined ? undefined : refusalOfSource(bareSource(text))
  return message === undefined ? [] : [{ path, message }]
}
