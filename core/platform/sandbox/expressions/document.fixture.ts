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
  isFolder: false,
  get: (property) => properties[property] ?? null,
})
