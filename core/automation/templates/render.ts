import { fail, isArchivoltError } from '../../platform/errors/index.js'
import type { OperationContext, Value, Variables } from '../language/index.js'
import { compileTemplate } from './compile.js'
import { NAMED } from './notation.js'
import { refuse } from './place.js'
import { TEXTS } from './program.js'
import { templateFinder, templatesPoint } from './templates-point.js'

export type Rendering = {
  /** The template itself, or `template:<name>` for one that is deployed. */
  template: string
  /** `ftl` or `mvel`; a deployed template knows its own. */
  type?: string | undefined
  /** What it is filled from. */
  input: Value
  /** Names besides those of expressions. */
  variables?: Variables
}

const sourceOf = (
  { session }: OperationContext,
  { template, type }: Rendering,
): { text: string; type: string | undefined; isDeployed: boolean } => {
  if (!template.startsWith(NAMED)) return { text: template, type, isDeployed: false }
  const name = template.slice(NAMED.length).trim()
  const found = session.contributions.get(templatesPoint).get(name)
  if (!found) throw fail('badRequest', `template: no template '${name}' is deployed`)
  return { text: found.text, type: found.type, isDeployed: true }
}

/**
 * What a template comes to for an input, with the names of expressions (reference: automation.md §7) and the
 * rights of whoever runs it.
 *
 * @throws badRequest naming the place in the template; forbidden for a text that comes with the call of somebody who
 * is no administrator, instead of a chain: such a caller names a deployed template.
 */
export const renderTemplate = async (context: OperationContext, rendering: Rendering): Promise<string> => {
  const { text, type, isDeployed } = sourceOf(context, rendering)
  const { input } = rendering
  // Before it is read: what refuses a template must cost its caller more than us.
  if (!isDeployed) context.requireMayEvaluate()
  const program = compileTemplate(text, { type, find: templateFinder(context.session.contributions) })
  const variables: Variables = {
    ...rendering.variables,
    [TEXTS]: { type: 'json', value: [...program.texts] },
  }
  try {
    const output = await context.evaluate(program.source, { input, variables, isDeployed })
    return output.type === 'string' ? output.value : ''
  } catch (error) {
    const detail = isArchivoltError(error) ? error.details[0] : undefined
    const at = detail?.line === undefined ? undefined : program.places.get(detail.line)
    if (at) throw refuse(at, detail?.message ?? 'it fails')
    // The text of the program is nothing that its author has written.
    if (isArchivoltError(error) && error.code === 'badRequest')
      throw fail(
        'badRequest',
        `template: ${error.message.replace(/^Expression "(?:[^"\\]|\\.)*" /, 'it ')}`,
        { cause: error },
      )
    throw error
  }
}
