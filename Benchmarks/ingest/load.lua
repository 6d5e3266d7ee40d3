-- For wrk: sends the bodies of generate.py round and round, with an event id at each place, every hundredth one of an event that
-- was sent before.  wrk … -s load.lua URL -- FILE KEY SEED
--
-- The ids are random, as those of clients that make UUIDs of version 4: the harder case for an index than ids in order of
-- time. The same SEED gives the same ids.
local format, random, concat = string.format, math.random, table.concat
local last

function init(arguments)
  local headers = { ["Authorization"] = "Bearer " .. arguments[2], ["Content-Type"] = "application/json" }
  math.randomseed(tonumber(arguments[3]))
  bodies, position = {}, 0
  for line in io.lines(arguments[1]) do
    local pieces = {}
    for text, place in line:gmatch("([^@~]*)([@~]?)") do
      pieces[#pieces + 1] = text
      if place ~= "" then pieces[#pieces + 1] = place end
    end
    bodies[#bodies + 1] = pieces
  end
  local head = wrk.format("POST", "/v1/events", headers, "")
  -- The same head for every request but for the length of its body.
  before, after = head:match("^(.-Content%-Length: )0(\r\n.*)$")
end

local function id()
  if last and random(100) == 1 then return last end
  last = format("%08x-%04x-4%03x-%04x-%06x%06x", random(0, 0x7fffffff) * 2, random(0, 0xffff), random(0, 0xfff),
    0x8000 + random(0, 0x3fff), random(0, 0xffffff), random(0, 0xffffff))
  return last
end

function request()
  position = position % #bodies + 1
  local pieces, parts = bodies[position], {}
  for i = 1, #pieces do
    local piece = pieces[i]
    if piece == "@" then
      parts[i] = id()
    elseif piece == "~" then
      parts[i] = format("%d", random(1, 0x7fffffff))
    else
      parts[i] = piece
    end
  end
  local body = concat(parts)
  return before .. #body .. after .. body
end
