import { afterAll } from 'vitest'

/** Does something once all tests of the file are over, when one has failed or could not begin. */
export const afterFailure = (work: () => void | Promise<void>): void =>
  // biome-ignore lint/correctness/noEmptyPattern: Vitest takes no other form of the first argument.
  afterAll(async ({}, { result, tasks }) => {
    const outcomes = [result, ...tasks.map((task) => task.result)]
    if (outcomes.some((outcome) => outcome?.state === 'fail')) await work()
  })
