import { type ContributionFormat, MAX_TEXT_LENGTH } from '../contributions/index.js'
import { fail } from '../errors/index.js'
import { refusalOfId } from './ids.js'
import { readView } from './read-view.js'
import { readXml } from './read-xml.js'
import { createReport, type Report } from './tree.js'
import type { ParsedChain } from './types.js'
import { readYamlTree } from './yaml-tree.js'

/**
 * Reads a chain from the text in which it is deployed: the YAML view, the same as JSON, or XML
 * (automation.md §8). What its operations are is checked by `checkChain`.
 *
 * @throws tooLarge for a text over the limit; invalid with every problem, each with line, column and field.
 */
export const parseChain = ({
  id,
  text,
  format,
}: {
  id: string
  text: string
  format: ContributionFormat
}): ParsedChain => {
  if (text.length > MAX_TEXT_LENGTH)
    throw fail('tooLarge', `The chain's text is longer than ${MAX_TEXT_LENGTH} characters`)
  const { report, problems } = createReport()
  const refusal = refusalOfId(id)
  if (refusal) report('id', undefined, `"${id}" cannot be a chain's id: it ${refusal}`)
  const parsed = format === 'xml' ? readXml(id, text, report) : readText(id, { text, format, report })
  for (const [index, alias] of parsed?.chain.aliases.entries() ?? []) {
    const reason = refusalOfId(alias)
    if (reason)
      report(
        `aliases[${index}]`,
        parsed?.places.aliases[index],
        `"${alias}" cannot be an alias: it ${reason}`,
      )
  }
  if (!parsed || problems.length > 0) throw fail('invalid', summaryOf(id, problems), { details: problems })
  return parsed
}

const readText = (
  id: string,
  { text, format, report }: { text: string; format: 'yaml' | 'json'; report: Report },
): ParsedChain | undefined => {
  const tree = readYamlTree(text, report)
  if (!tree) return undefined
  if (format === 'json' && !isJson(text)) {
    report('', tree.at, 'the text is YAML, but not JSON; send it as application/yaml')
    return undefined
  }
  return readView(id, tree, report)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** One line for clients that show only the message. */
export const summaryOf = (
  id: string,
  problems: readonly { line?: number; column?: number; message: string }[],
): string => {
  const [first] = problems
  const place = first?.line === undefined ? '' : ` (line ${first.line}, column ${first.column})`
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
  return `Chain '${id}' is refused: ${first?.message ?? 'not readable'}${place}${more}`
}
