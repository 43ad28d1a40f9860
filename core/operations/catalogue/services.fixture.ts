import { DOCUMENT, type Row } from './row.fixture.js'

export const servicesRows: readonly Row[] = [
  [
    'Document.Mail Notification.SendMail',
    'Send E-Mail',
    'Notification',
    DOCUMENT,
    'from:string* to:stringlist* cc:stringlist bcc:stringlist replyto:stringlist subject:string* message:string* HTML:boolean=false files:stringlist rollbackOnError:boolean=true Strict User Resolution:boolean=true viewId:string=view_documents',
  ],
  [
    'Document.SendNotificationEmailForPermission',
    'Send Notification Email For Permission',
    'Notification',
    DOCUMENT,
    'id:string*',
  ],
  ['Event.Fire Notification.SendEvent', 'Send Event', 'Notification', 'void>void', 'name:string*'],
  [
    'Log LogOperation',
    'Log',
    'Notification',
    'void>void',
    'category:string message:string* level:string*=info',
  ],
  [
    'Business.BusinessCreateOperation',
    'BusinessCreateOperation',
    'Business',
    'object>object',
    'parentPath:string* name:string*',
  ],
  ['Business.BusinessFetchOperation', 'BusinessFetchOperation', 'Business', 'object>object', ''],
  ['Business.BusinessUpdateOperation', 'BusinessUpdateOperation', 'Business', 'object>object', ''],
  [
    'Actions.GET',
    'List available actions',
    'Services',
    'void>blob document>blob',
    'category:string* lang:string',
  ],
  [
    'RenditionDefinition.Suggestion',
    'Get rendition definition suggestion',
    'Services',
    'void>blob',
    'searchTerm:string',
  ],
  ['Services.TagDocument', 'Tag Document', 'Services', DOCUMENT, 'tags:stringlist*'],
  ['Services.UntagDocument', 'Untag Document', 'Services', DOCUMENT, 'tags:stringlist*'],
  ['Services.RemoveDocumentTags', 'Remove All Document Tags', 'Services', DOCUMENT, ''],
  [
    'Tag.Suggestion',
    'Get tag suggestion',
    'Services',
    'void>blob',
    'searchTerm:string value:string xpath:string',
  ],
]
