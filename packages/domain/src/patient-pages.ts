// One by one, so that a first load has only the names and paths that it uses.

export const booking = '/';
export const login = '/login';
export const signUp = '/register';
export const recovery = '/resetPassword';
export const account = '/account';
export const appointments = '/appointments';
export const walkIn = '/walkin';
export const paid = '/booking/payment/success';
export const tokenLogin = '/auth';
export const tokenLink = '/auth/:token/:selectedAppType?';
export const accountLink = '/confirm/account';
export const addressChange = '/confirm/change';
