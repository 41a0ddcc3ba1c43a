/** Colours in which everybody sees a thing, where nobody asks for another. */
export const usual: Record<string, string> = Object.fromEntries(
  Object.entries({
    '#e8354f': 'heart heart-pulse heart-crack heart-handshake cherry apple rose ribbon mushroom',
    '#f7b32b': 'sun sunrise sunset moon moon-star star crown trophy medal award lightbulb zap bell banana coins smile key cheese pacman treasure-chest comet beach',
    '#f2711c': 'flame flame-kindling carrot pumpkin citrus basketball traffic-cone volcano meteor sausage',
    '#3f9d4b': 'leaf sprout clover tree-palm tree-pine tree-deciduous trees avocado broccoli turtle check circle-check recycle cactus dragon alien melon',
    '#2f8fd8': 'droplet waves cloud-rain snowflake cloud-snow fish submarine speedboat snowman',
    '#e36bae': 'flower flower-2 cupcake lollipop cake cake-slice butterfly pig',
    '#9a6234': 'coffee donut cookie croissant deer horse chocolate sleigh ladder',
  }).flatMap(([colour, names]) => names.split(' ').map((name) => [name, colour])),
)
