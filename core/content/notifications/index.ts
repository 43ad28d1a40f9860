export { notificationsPoint } from './notifications-point.js'
export { mailPermission, notifyOfPermission } from './permission-mail.js'
export { subscribe, subscribedNotifications, unsubscribe } from './subscriptions.js'
