import type { Row } from './row.fixture.js'

export const identityRows: readonly Row[] = [
  ['User.GetUserWorkspace UserWorkspace.Get', 'Get Home', 'Users & Groups', 'void>document', ''],
  ['Auth.LoginAs', 'Login As', 'Users & Groups', 'void>void document>document', 'name:string'],
  ['Auth.Logout', 'Logout', 'Users & Groups', 'void>void document>document', ''],
  ['User.Get NuxeoPrincipal.Get', 'Get Nuxeo Principal', 'Users & Groups', 'void>document', 'login:string'],
  [
    'User.Query Services.QueryUsers',
    'Query Users',
    'Users & Groups',
    'void>blob',
    'username:string firstName:string lastName:string pattern:string tenantId:string',
  ],
  [
    'User.CreateOrUpdate',
    'Create or Update User',
    'Users & Groups',
    'void>void',
    'username:string* password:string email:string firstName:string lastName:string company:string tenantId:string groups:stringlist properties:properties mode:string',
  ],
  [
    'Group.CreateOrUpdate',
    'Create or Update Group',
    'Users & Groups',
    'void>void',
    'groupname:string* tenantId:string grouplabel:string description:string members:stringlist subGroups:stringlist parentGroups:stringlist properties:properties mode:string',
  ],
  [
    'UserGroup.Suggestion',
    'Get user/group suggestion',
    'Users & Groups',
    'void>blob',
    'searchTerm~prefix:string searchType:string groupRestriction:string userSuggestionMaxSearchResults:integer firstLabelField:string secondLabelField:string thirdLabelField:string hideFirstLabel:boolean=false hideSecondLabel:boolean=false hideThirdLabel:boolean=false displayEmailInSuggestion:boolean=false hideIcon:boolean=false lang:string',
  ],
  [
    'Context.GetUsersGroupIdsWithPermissionOnDoc Document.GetUsersAndGroups',
    'Get Users and Groups',
    'Users & Groups',
    'document>document',
    'permission:string* variable name:string* ignore groups:boolean=false resolve groups:boolean=false prefix identifiers:boolean=false',
  ],
  [
    'Context.GetEmailsWithPermissionOnDoc Document.GetPrincipalEmails',
    'Get Principal Emails',
    'Users & Groups',
    'document>document',
    'permission:string* variable name:string* ignore groups:boolean=false',
  ],
]
