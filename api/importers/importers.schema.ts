import { z } from 'zod'
import { flag, word } from '../parse/index.js'

const ignored = word.describe('Read from older clients; it has no effect')

export const runQuery = z.object({
  inputPath: word.describe('A folder of the server, below one of ARCHIVOLT_IMPORT_FOLDERS'),
  targetPath: word.describe('The folder that takes it, by its path'),
  leafType: word.describe('Type of documents of files; File when absent'),
  folderishType: word.describe('Type of documents of folders; Folder when absent'),
  skipRootContainerCreation: flag.describe('true: what is in the folder goes straight into the target'),
  batchSize: word.describe('Folders and files of one transaction, 1 to 1000; 5 when absent'),
  interactive: flag.describe('true: it is answered when the run has ended, after 60 s at the latest'),
  nbThreads: ignored,
  transactionTimeout: ignored,
})
