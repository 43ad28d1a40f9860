export { notificationsPoint } from './notifications-point.js'
export { notifyOfPermission } from './permission-mail.js'
export { subscribe, subscribedNotifications, unsubscribe } from './subscriptions.js'
