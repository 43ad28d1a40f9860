import type { Row } from './row.fixture.js'

export const directoriesRows: readonly Row[] = [
  [
    'Directory.Entries',
    'Get directory entries',
    'Services',
    'document>blob void>blob',
    'directoryName:string* translateLabels:boolean=false lang:string',
  ],
  [
    'Directory.ReadEntries',
    'Reads directory entries',
    'Services',
    'void>blob',
    'directoryName:string* entries:string* translateLabels:boolean=false lang:string',
  ],
  [
    'Directory.CreateEntries',
    'Creates directory entries',
    'Services',
    'void>blob',
    'directoryName:string* entries:string*',
  ],
  [
    'Directory.UpdateEntries',
    'Updates directory entries',
    'Services',
    'void>blob',
    'directoryName:string* entries:string*',
  ],
  [
    'Directory.DeleteEntries',
    'Deletes directory entries',
    'Services',
    'void>blob',
    'directoryName:string* entries:string* markObsolete:boolean=false',
  ],
  [
    'Directory.Projection',
    'Get a Directory Projection',
    'Services',
    'void>void',
    'directoryName:string* columnName:string* variableName:string* filters:properties fulltextFields:stringlist',
  ],
  [
    'Directory.SuggestEntries',
    'Get directory entries',
    'Services',
    'void>blob',
    'directoryName:string* localize:boolean=false lang:string searchTerm~prefix:string labelFieldName:string=label dbl10n:boolean=false canSelectParent:boolean=false filterParent:boolean=false keySeparator:string=/ displayObsoleteEntries:boolean=false contains:boolean=false caseSensitive:boolean=false absoluteLabelSeparator:string=/',
  ],
  [
    'Directory.CreateVocabularyEntry',
    'Vocabulary: Add Entry',
    'Services',
    'void>void',
    'vocabularyName:string* id:string* label:string parent:string obsolete:long ordering:long',
  ],
]
