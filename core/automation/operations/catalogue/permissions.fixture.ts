import { DOCUMENT, type Row } from './row.fixture.js'

export const permissionsRows: readonly Row[] = [
  [
    'Document.AddPermission Document.AddACL',
    'Add Permission',
    'Document',
    DOCUMENT,
    'username~user:string users:stringlist email:string permission:string* acl:string=local begin:date end:date blockInheritance:boolean=false notify:boolean=false comment:string',
  ],
  [
    'Document.ReplacePermission Document.UpdatePermission',
    'Replace Permission',
    'Document',
    DOCUMENT,
    'id:string* username~user:string* permission:string* acl:string=local begin:date end:date notify:boolean=false comment:string',
  ],
  [
    'Document.RemovePermission',
    'Remove Permission',
    'Document',
    DOCUMENT,
    'id:string user:string acl:string=local',
  ],
  [
    'Document.BlockPermissionInheritance',
    'Block Permission Inheritance',
    'Document',
    DOCUMENT,
    'acl:string=local',
  ],
  [
    'Document.UnblockPermissionInheritance',
    'Unlock Permission Inheritance',
    'Document',
    DOCUMENT,
    'acl:string=local',
  ],
  [
    'Document.AddACE Document.SetACE',
    'Set ACL',
    'Document',
    DOCUMENT,
    'user:string* permission:string* acl:string=local grant:boolean=true overwrite:boolean=true',
  ],
  ['Document.RemoveACL', 'Remove ACL', 'Document', DOCUMENT, 'acl:string*'],
]
