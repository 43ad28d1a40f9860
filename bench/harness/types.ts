import type { BenchServers } from './servers.js'

/** One figure beside its floor, both measured alternately in the same run. */
export type Figure = {
  name: string
  unit: string
  ours: number
  /** The figure of the bare tools for the same work; absent where the goal is absolute. */
  floor?: number
  /** `least` for rates, `most` for times; a ratio to the floor, or a value of the unit. */
  goal?: { least: number } | { most: number }
}

export type MeasureContext = {
  servers: BenchServers
  /** A tenth of the work: whether it runs at all, not what it reaches. */
  isQuick: boolean
  /** Started servers and processes end with the run. */
  atEnd(stop: () => Promise<void>): void
}

export type Measure = (context: MeasureContext) => Promise<Figure[]>
