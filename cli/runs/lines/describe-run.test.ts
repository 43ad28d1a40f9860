import { expect, test } from 'vitest'
import { statusLines } from './describe-run.js'

test('a run that cannot be read says why', () => {
  const lines = statusLines({
    ...{ workflowId: 'demo-1', chainId: 'demo', principal: 'ann', status: 'COMPLETED', nodes: [] },
    ...{ startedAt: '2026-01-01T00:00:00.000Z', closedAt: '2026-01-01T00:00:01.000Z' },
    ...{ incidents: [], incidentCount: 0, unreadable: 'ARCHIVOLT_TEMPORAL_KEY has not the key 01' },
  })
  expect(lines.at(-1)).toBe('note     ARCHIVOLT_TEMPORAL_KEY has not the key 01')
})
