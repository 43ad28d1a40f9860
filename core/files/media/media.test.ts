import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SYSTEM } from '../../access/security/index.js'
import type { BlobValue } from '../../model/properties/index.js'
import { FILMS, type Workbench } from '../conversions/index.js'
import { createMedia, type MediaCall } from './media.js'

const source: BlobValue = { name: 'a.mp4', 'mime-type': 'video/mp4', digest: 'd' } as BlobValue

/** A bench whose work ends when the test says so; `running` is whose work is under way. */
const createSlowBench = () => {
  const running: string[] = []
  const ends: (() => void)[] = []
  const workbench: Workbench = ({ owner }) =>
    new Promise((resolve) => {
      running.push(owner?.name ?? '')
      ends.push(() => resolve([] as never))
    })
  const endAll = async (calls: readonly Promise<unknown>[]): Promise<void> => {
    for (let done = 0; done < calls.length; done++) {
      ends[done]?.()
      await setImmediate()
    }
    await Promise.all(calls)
  }
  return { media: createMedia({ workbench }), running, endAll }
}

const shots = { info: {} as never, positions: [0] }
const ofUser = (name: string): Pick<MediaCall, 'owner' | 'turnOf'> => ({
  owner: SYSTEM,
  turnOf: { name, isAdministrator: false },
})

test('films of one user leave room for those of others', async () => {
  const { media, running, endAll } = createSlowBench()
  const asked = (name: string) => {
    const principal = { name, isAdministrator: false } as never
    return media.sliceFilm({ principal, source, slice: { startAt: '0', duration: '1', encode: true } })
  }
  const own = Array.from({ length: 16 }, () => asked('eve'))
  const other = asked('ann')
  await setImmediate()
  expect(running).toHaveLength(Math.floor(FILMS / 2) + 1)
  expect(running).toContain('ann')
  await endAll([...own, other])
})

test('what the product makes of a film takes the turn of who waits for it', async () => {
  const { media, running, endAll } = createSlowBench()
  const own = Array.from({ length: 5 }, () => media.screenshots({ source, ...ofUser('eve') }, shots))
  const other = media.waveform({ source, ...ofUser('ann') }, 'w.png')
  await setImmediate()
  expect(running).toHaveLength(Math.floor(FILMS / 2) + 1)
  expect(new Set(running)).toEqual(new Set([SYSTEM.name]))
  await endAll([...own, other])
})

test('what is found out about a film waits for nobody', async () => {
  const { media, running, endAll } = createSlowBench()
  const calls = [
    ...Array.from({ length: 4 }, () => media.screenshots({ source, ...ofUser('eve') }, shots)),
    media.probe({ source, ...ofUser('eve') }),
  ]
  await setImmediate()
  expect(running).toHaveLength(Math.floor(FILMS / 2) + 1)
  await endAll(calls)
})
