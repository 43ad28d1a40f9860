import {
  type ContributionFormat,
  createReport,
  MAX_TEXT_LENGTH,
  type Report,
} from '../../../platform/contributions/index.js'
import { type ErrorDetail, fail } from '../../../platform/errors/index.js'
import { refusalOfId } from '../ids.js'
import { refusalOfChain } from '../refusals.js'
import type { ParsedChain } from '../types.js'
import { readView } from './read-view.js'
import { readXml } from './read-xml.js'
import { certain, readYamlTree } from './yaml-tree.js'

type ReadChain = {
  parsed?: ParsedChain
  problems: readonly ErrorDetail[]
  /** Present where the text has syntax errors: whether a mistake on a line may follow from them alone. */
  isDoubtful?: (line: number) => boolean
}

type ChainText = { id: string; text: string; format: ContributionFormat }

/**
 * Reads a chain from the text in which it is deployed: the YAML view, the same as JSON, or XML
 * (reference: automation.md §8), as far as it can be read. What its operations are is checked by `findingsOfChain`.
 *
 * @returns what is wrong with its form, and the rest of it, unless nothing can be made of the text.
 * @throws tooLarge for a text over the limit.
 */
export const readChain = ({ id, text, format }: ChainText): ReadChain => {
  if (text.length > MAX_TEXT_LENGTH)
    throw fail('tooLarge', `The chain's text is longer than ${MAX_TEXT_LENGTH} characters`)
  const { report, problems } = createReport()
  const refusal = refusalOfId(id)
  if (refusal) report('id', undefined, `"${id}" cannot be a chain's id: it ${refusal}`)
  const { parsed, isDoubtful } =
    format === 'xml' ? { parsed: readXml(id, text, report) } : readText(id, { text, format, report })
  for (const [index, alias] of parsed?.chain.aliases.entries() ?? []) {
    const reason = refusalOfId(alias)
    if (reason)
      report(
        `aliases[${index}]`,
        parsed?.places.aliases[index],
        `"${alias}" cannot be an alias: it ${reason}`,
      )
  }
  return { ...(parsed && { parsed }), problems, ...(isDoubtful && { isDoubtful }) }
}

/** @throws invalid with every problem, each with line, column and field; tooLarge. */
export const parseChain = (source: ChainText): ParsedChain => {
  const { parsed, problems } = readChain(source)
  if (!parsed || problems.length > 0) throw refusalOfChain(source.id, problems)
  return parsed
}

const readText = (
  id: string,
  { text, format, report }: { text: string; format: 'yaml' | 'json'; report: Report },
): { parsed?: ParsedChain | undefined; isDoubtful?: (line: number) => boolean } => {
  const read = readYamlTree(text, report)
  if (!read) return {}
  const { tree, isDoubtful } = read
  if (isDoubtful) return { parsed: readView(id, tree, certain(report, isDoubtful)), isDoubtful }
  if (format === 'json' && !isJson(text)) {
    report('', tree.at, 'the text is YAML, but not JSON; send it as application/yaml')
    return {}
  }
  return { parsed: readView(id, tree, report) }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
