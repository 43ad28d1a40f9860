import type { HostDocument } from './types.js'

/** A document for expressions in tests. */
export const documentFixture = (id: string, properties: Record<string, unknown> = {}): HostDocument => ({
  id,
  name: 'report',
  path: '/ws/report',
  type: 'File',
  facets: ['Versionable'],
  schemas: ['dublincore'],
  state: 'project',
  versionLabel: '1.0',
  isProxy: false,
  isVersion: false,
  lockOwner: 'ann',
  lockCreated: new Date('2026-01-01T10:00:00Z'),
  isFolder: false,
  get: (property) => properties[property] ?? null,
})
