import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { SYSTEM } from '../../../../core/access/security/index.js'
import { createTestPlatform } from '../../support/rest-support.js'

test('handlers and listeners in files keep no new repository from getting its default content', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'archivolt-first-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'handlers.yaml'),
    `
eventHandlers:
  marked: { events: documentCreated, chain: mark }
listeners:
  listened:
    events: [documentCreated]
    operation: Document.SetProperty
    params: { xpath: dc:source, value: marked }
chains:
  mark:
    operations:
      - Document.SetProperty: { xpath: dc:description, value: marked }
defaultContent:
  /made-first: { type: Domain }
`,
  )
  const platform = await createTestPlatform({ ARCHIVOLT_CONFIG: folder })
  const made = await platform.readSession(SYSTEM).stores.documents.get('/made-first')
  expect(made?.properties['dc:description'] ?? null).toBeNull()
})
