/** One program and its arguments, in which `#{name}` stands for parameters. */
export type Stage = { program: string; args: readonly string[] }

/** Words with quotes around parts of them. */
const WORD = /(?:[^\s"']+|"[^"]*"|'[^']*')+/g

/** What a shell would act on; no shell reads the arguments. */
const SHELL = /^(?:\d*[<>]|&&?$|;|\|\|)|[`]|\$\(/

const PROGRAM = /^[\w.+-]+$/

const unquoted = (word: string): string => word.replace(/"([^"]*)"|'([^']*)'/g, (_, a, b) => a ?? b)

/**
 * The programs of a command line, of which each reads the output of the one before; a `problem` when the text says
 * something else.
 */
export const parseCommand = (
  commandLine: string,
  parameterString: string,
): { stages: readonly Stage[]; problem?: string } => {
  const words = parameterString.match(WORD) ?? []
  if (parameterString.replace(WORD, '').trim() !== '') return { stages: [], problem: 'a quote is not closed' }
  const shell = words.find((word) => SHELL.test(word))
  if (shell) return { stages: [], problem: `no shell reads the arguments: ${shell} means nothing` }
  const stages: { program: string; args: string[] }[] = [{ program: commandLine, args: [] }]
  let isProgram = false
  for (const word of words) {
    if (word === '|') {
      if (isProgram) return { stages, problem: 'expected a program between | and |' }
      isProgram = true
    } else if (isProgram) {
      if (!PROGRAM.test(word)) return { stages, problem: `${word} is not the name of a program` }
      stages.push({ program: word, args: [] })
      isProgram = false
    } else stages.at(-1)?.args.push(unquoted(word))
  }
  return isProgram ? { stages, problem: 'expected a program behind |' } : { stages }
}
