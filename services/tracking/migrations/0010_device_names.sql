-- Reports count by browser, and an index takes no name of any length. device.ts cuts them so from now on.
update affiliate_click_events
set
  browser_name = left(browser_name, 64),
  device_os = left(device_os, 64)
where length(browser_name) > 64 or length(device_os) > 64;

update affiliate_lead_events
set browser_name = left(browser_name, 64)
where length(browser_name) > 64;

update affiliate_sale_events
set browser_name = left(browser_name, 64)
where length(browser_name) > 64;
