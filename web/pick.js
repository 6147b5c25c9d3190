// pick.js: keys of the page Settle. Each clicks a button of the first dispute, or goes to a field of it.

let leaving = false; // a second key is of the next page

function onKey(event) {
    const target = event.target;
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || leaving)
        return;
    if (event.key === 'Escape')
        target.blur?.();
    if (target.closest?.('textarea, select, input:not([type=checkbox])'))
        return;
    const wanted = document.querySelector(`.disputes [data-key="${CSS.escape(event.key)}"]`);
    if (wanted === null)
        return;
    event.preventDefault();
    if (wanted.matches('button, a')) {
        leaving = true;
        wanted.click();
    } else {
        wanted.focus();
    }
}

addEventListener('keydown', onKey);
addEventListener('pageshow', () => { leaving = false; });
document.body.dataset.ready = 'yes';
