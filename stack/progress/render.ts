export type State =
  | 'waiting'
  | 'fetching'
  | 'building'
  | 'starting'
  | 'ready'
  | 'external'
  | 'failed'
  | 'restarting'
  | 'stopping'
  | 'stopped'

export type Line = { name: string; state: State; detail?: string; elapsedMs: number }

const NAME_WIDTH = 10

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

export const isUnderWay = (state: State): boolean =>
  state === 'fetching' || state === 'building' || state === 'starting'

const describeState = ({ state, elapsedMs }: Line, isLive: boolean): string => {
  if (state === 'ready') return `ready in ${seconds(elapsedMs)}`
  if (state === 'external') return 'external'
  return isLive && isUnderWay(state) ? `${state} ${seconds(elapsedMs)}` : state
}

/** One line of progress. `isLive` adds the running time, for a terminal where the line is written again. */
export const renderLine = (line: Line, isLive: boolean): string =>
  [line.name.padEnd(NAME_WIDTH), describeState(line, isLive).padEnd(16), line.detail ?? '']
    .join(' ')
    .trimEnd()
