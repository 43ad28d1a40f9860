import { isUnderWay, type Line, renderLine, type State } from './render.js'

type Output = { isTTY?: boolean; columns?: number; write(text: string): unknown }

export type Progress = {
  /** Sets the state of a service. Its time runs from `begin` or from its first state. */
  set(name: string, state: State, detail?: string): void
  /** Starts a service's time again, for a restart. */
  begin(name: string): void
  /** A message between the lines. */
  say(text: string): void
  /** Ends the live lines: what follows is written once. */
  freeze(): void
}

type Entry = { startedAt: number; state: State; detail?: string; endedAt?: number }

const REWRITE_MS = 200

/** Where lines are not rewritten, what takes long is reported again after this time. */
const REPEAT_MS = 30_000

const clip = (text: string, columns: number): string => text.slice(0, Math.max(20, columns - 1))

/** Progress of the services: lines rewritten in place on a terminal, else one line for each change. */
export const createProgress = (output: Output, now: () => number = Date.now): Progress => {
  const entries = new Map<string, Entry>()
  let isLive = output.isTTY === true
  let drawn = 0

  const lineOf = (name: string, entry: Entry): Line => ({
    name,
    state: entry.state,
    detail: entry.detail,
    elapsedMs: (entry.endedAt ?? now()) - entry.startedAt,
  })
  const erase = (): void => {
    if (drawn > 0) output.write(`\x1b[${drawn}A\x1b[0J`)
    drawn = 0
  }
  const draw = (): void => {
    erase()
    for (const [name, entry] of entries)
      output.write(`${clip(renderLine(lineOf(name, entry), true), output.columns ?? 80)}\n`)
    drawn = entries.size
  }
  const repeat = (): void => {
    for (const [name, entry] of entries) {
      const line = lineOf(name, entry)
      if (isUnderWay(entry.state) && line.elapsedMs >= REPEAT_MS) output.write(`${renderLine(line, true)}\n`)
    }
  }
  const timer = isLive ? setInterval(draw, REWRITE_MS) : setInterval(repeat, REPEAT_MS)
  timer.unref()

  return {
    begin: (name) => void entries.set(name, { startedAt: now(), state: 'waiting' }),
    set: (name, state, detail) => {
      const before = entries.get(name)
      const startedAt = before?.startedAt ?? now()
      const hasEnded = state === 'ready' || state === 'external'
      entries.set(name, { startedAt, state, detail, endedAt: hasEnded ? now() : undefined })
      if (isLive) return draw()
      const isNews = before?.state !== state || before.detail !== detail
      if (isNews && state !== 'waiting') {
        output.write(`${renderLine(lineOf(name, entries.get(name)!), false)}\n`)
      }
    },
    say: (text) => {
      if (isLive) erase()
      output.write(`${text}\n`)
      if (isLive) draw()
    },
    freeze: () => {
      clearInterval(timer)
      if (isLive) draw()
      isLive = false
    },
  }
}
