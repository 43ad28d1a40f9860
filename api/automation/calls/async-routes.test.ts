import { expect, test } from 'vitest'
import { createAsyncRoutes } from './async-routes.js'

const routesOf = (status: string) =>
  createAsyncRoutes(
    {
      workflows: { find: async () => ({ status }) },
      restRootOf: () => 'http://host/api/v1',
    } as never,
    {} as never,
  )

test('the status of a running call is a JSON string, that of another one its result', async () => {
  const running = await routesOf('RUNNING').request('/chain/@async/run/status')
  expect([running.status, await running.text()]).toEqual([200, '"RUNNING"'])
  expect(running.headers.get('Retry-After')).toBe('1')
  const done = await routesOf('COMPLETED').request('/chain/@async/run/status')
  expect([done.status, done.headers.get('Location')]).toEqual([
    303,
    'http://host/api/v1/automation/chain/@async/run',
  ])
})
