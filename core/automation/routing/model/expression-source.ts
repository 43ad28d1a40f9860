/** Functions of `WorkflowFn`, which stand for numbers and truth values. */
export const WORKFLOW_FUNCTIONS = [
  'timeSinceWorkflowWasStarted',
  'timeSinceTaskWasStarted',
  'timeSinceDueDateIsOver',
  'timeSinceRuleHasBeenFalse',
  'ruleAlreadyExecuted',
] as const

export type WorkflowFunction = (typeof WORKFLOW_FUNCTIONS)[number]

const CALL = new RegExp(
  `(?:\\bWorkflowFn\\s*\\.\\s*)?\\b(${WORKFLOW_FUNCTIONS.join('|')})\\s*\\(\\s*([\\d\\s*]*)\\)`,
  'g',
)
const COUNT = /\bNodeVariables\s*\[\s*(["'])tasks\1\s*\]\s*\.\s*getNumberEndedWithStatus\s*\(([^()]*)\)/g

/** A product of whole numbers, as in `60*60*1000`; undefined when there is none. */
export const productOf = (text: string): number | undefined =>
  text.trim() === '' ? undefined : text.split('*').reduce((product, factor) => product * Number(factor), 1)

const WRAPPED = /^@\{([^{}]*)\}$/

/** Whether a field that takes a text or an expression has an expression: after `expr:`, or the whole in `@{…}`. */
export const isMarked = (text: string): boolean => text.startsWith('expr:') || WRAPPED.test(text.trim())

/**
 * An expression of a model as the sandbox reads it: without `expr:` or the whole wrapped in `@{…}`, and with values in the
 * place of what only routes know.
 *
 * @param textOf gives the text of a call of `WorkflowFn`; absent: one that stands for any.
 */
export const expressionSource = (
  text: string,
  textOf: (name: WorkflowFunction, argument: number | undefined) => string = () => '0',
): string => {
  const bare = text.trim().replace(/^expr:\s*/, '')
  const wrapped = WRAPPED.exec(bare)
  return (wrapped?.[1] ?? bare)
    .trim()
    .replace(CALL, (_, name: WorkflowFunction, argument: string) => textOf(name, productOf(argument)))
    .replace(COUNT, (_, _quote, status: string) => `NodeVariables["endedWithStatus"][${status}]`)
}
