import type { Transition } from '../model/index.js'
import type { RouteState, TaskInfo } from './state.js'

/** A chain of a node, and where it runs. */
export type ChainOfNode = { node: string; chain: string; transition?: Transition }

/** What the interpreter has others do. What throws ends the move, of which nothing is to be kept. */
export type RouteHost = {
  now(): Date
  /** May set variables of the state. */
  runChain(state: RouteState, call: ChainOfNode): Promise<void>
  isTrue(state: RouteState, place: { node: string; transition: Transition }): Promise<boolean>
  createTasks(state: RouteState, node: string): Promise<TaskInfo[]>
  cancelTasks(state: RouteState, tasks: readonly TaskInfo[]): Promise<void>
  /** Takes note of a node that is entered, or that is left by some transitions. */
  passed?(node: string, left?: { transitions: string[] }): void
  /** Starts the sub-workflow of a node. @returns its id, and whether it has ended already. */
  startSubRoute(state: RouteState, node: string): Promise<{ id: string; isDone: boolean }>
}
