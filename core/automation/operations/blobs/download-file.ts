import { randomUUID } from 'node:crypto'
import { defineOperation, type Operation } from '../../language/index.js'
import { keepDownload } from '../../run-store/index.js'

/** Above this a browser is sent to an address of the file's own (blobs-conversions.md §2). */
const BIG_BYTES = 5 * 1024 * 1024

const downloadFile = defineOperation({
  id: 'WebUI.DownloadFile',
  aliases: ['Seam.DownloadFile'],
  label: 'Download File',
  category: 'User Interface',
  description:
    'Answers with the input file; a large one by an address of its own, which serves it in parts for a day.',
  params: {},
  methods: ({ method }) => [
    method('blob', 'blob', async ({ context: { transient, session }, input: blob }) => {
      if (blob.length <= BIG_BYTES) return { type: 'blob', blob }
      const download = randomUUID()
      await keepDownload(transient, { key: download, blob, session })
      return { type: 'blob', blob, download }
    }),
  ],
})

export const downloadFileOperations: readonly Operation[] = [downloadFile]
