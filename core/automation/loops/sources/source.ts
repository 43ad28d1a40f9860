import type { PropertyValue } from '../../../model/properties/index.js'
import type { Value, Variables } from '../../language/index.js'
import type { RunState, UnitOfWork } from '../../run-store/index.js'

export type Items = {
  items: readonly { position: number; value: Value }[]
  /** How many there are, as far as is known now; absent: as many as when it began. */
  total?: number
}

/** What is iterated over, and what its step says of it. */
export type Source = {
  /** With which it begins. */
  state: RunState
  /** As far as is known when it begins. */
  total: number
  /** Items from one position to another (exclusive); fewer where there are no more. */
  read(unit: UnitOfWork, from: number, to: number): Promise<Items>
  /** Whether it goes on after an item that fails. */
  continueOnError: boolean
  /** Seconds that a transaction may take. */
  timeout?: unknown
  /** Seconds that all transactions of an item may take together. */
  runTimeout?: number | undefined
  /** Whether items see nothing of each other's variables. */
  isolate: boolean
  /** Whether what items return is its output. */
  collects: boolean
  parameters: { [name: string]: PropertyValue }
  /** What an item begins with. */
  begin(item: Value, variables: Variables): RunState
  /** What goes on behind the last one. */
  end(outputs: readonly Value[], variables: Variables): RunState
}
