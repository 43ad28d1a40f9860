import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Terminal } from './terminal.js'

type Question = { prompt: string; isSecret?: boolean; interrupted: AbortSignal }

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * Prompts for one line. A secret is not echoed.
 *
 * @returns undefined when the input ends or Ctrl-C is pressed.
 */
export const ask = (
  { input, stderr }: Pick<Terminal, 'input' | 'stderr'>,
  { prompt, isSecret = false, interrupted }: Question,
): Promise<string | undefined> =>
  new Promise((resolve) => {
    // Before the prompt: from here on the terminal itself echoes nothing.
    const lines = createInterface({ input, output: isSecret ? nowhere() : stderr, terminal: true })
    stderr.write(prompt)
    const finish = (answer: string | undefined): void => {
      interrupted.removeEventListener('abort', abandon)
      lines.off('close', abandon)
      lines.close()
      if (isSecret || answer === undefined) stderr.write('\n')
      resolve(answer)
    }
    const abandon = (): void => finish(undefined)
    lines.once('line', finish).once('close', abandon).once('SIGINT', abandon)
    interrupted.addEventListener('abort', abandon)
  })
